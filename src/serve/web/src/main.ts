// The page of rasterwave serve.
import { Shell } from "./shell";
import "./style.css";

declare global {
  interface Window {
    /** For scripts in the console, and for the tests. */
    rasterwave?: Shell;
  }
}

const shell = new Shell();
window.rasterwave = shell;
shell.start().catch((error: unknown) => shell.app.fail(error));
