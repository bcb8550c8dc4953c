import { catalogue } from "../text/catalogue.js";
import { counted } from "../text/format.js";

/** Strings of parts of several views. */
export const text = catalogue({
  any: "any",
  views: "Views",
  files: (count: number) => counted(count, "file"),
  change: "change",
  differenceOf: (path: string) => `Difference of ${path}`,
  find: "Find",
  stopped: "This view stopped",
  stoppedHelp:
    "The rest of the console works. The report names the place in the program, and no secret.",
  entries: (count: number) => counted(count, "entry", "entries"),
  moreEntries: (count: number) => `${counted(count, "more entry", "more entries")}`,
  unknown: "unknown",
  loadAgain: "Load again",
  copied: "Copied",
  copyReport: "Copy report",
  request: "Request {id}",
  needsScope: (scope: string) => `Your token does not have ${scope}.`,
  noConnection: "There is no connection to the gateway.",
  mayNotSee: "Your token may not see this",
  working: "Working…",
  cancel: "Cancel",
});
