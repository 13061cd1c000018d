// Rules beyond the compiler's: what is recommended for TypeScript, and no use of any.
import { createRequire } from "node:module";
const tools = createRequire(process.env.LINT_TOOLS ?? import.meta.url);
const typescript = tools("typescript-eslint");

export default typescript.config(typescript.configs.recommended, typescript.configs.stylistic, {
  rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
});
