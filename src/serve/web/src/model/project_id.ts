// Which saved project a tab has: "" is project.yaml, others have an id in the address (#project=...). A lock of the browser, held as long as
// the tab lives, keeps two tabs from writing one project.

export function idOfAddress(address: string): string | null {
  const found = /[#&]project=([a-z0-9-]{1,40})(?:&|$)/.exec(address);
  return found ? found[1] : null;
}

export function newProjectId(now: Date = new Date()): string {
  const random = [...crypto.getRandomValues(new Uint8Array(3))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${now.toISOString().slice(0, 10)}-${random}`;
}

/** Whether the tab may write the project; where browsers have no locks it may. */
export function claimProject(id: string): Promise<boolean> {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    locks
      .request(`rasterwave project ${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => undefined);
      })
      .catch(() => resolve(true));
  });
}

export function showInAddress(id: string): void {
  history.replaceState(null, "", id === "" ? location.pathname + location.search : `#project=${id}`);
}
