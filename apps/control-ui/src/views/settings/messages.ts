import { catalogue } from "../../text/catalogue.js";
import { counted } from "../../text/format.js";

/** Strings of the settings. */
export const text = catalogue({
  title: "Settings",
  sections: "Sections",
  find: "Find a setting",
  found: (query: string) => `Settings with “${query}”`,
  noneFits: "No setting has these words",
  changeQuery: "Change or clear the text above.",
  asText: "As JSON5",
  textHelp:
    "The file with its comments. Marks like [REDACTED:0a1b2c3d] stand for secrets and stay as they are.",
  included: (files: string) => `It includes ${files}, whose keys are changed in the form.`,
  noFile: "There is no file yet; saving creates it.",
  content: "Content of the configuration file",
  mayNotSee: "Your token may not see settings",
  needsRead: "It needs operator.read.",
  mayNotChange: (scope: string) =>
    `Your token does not have ${scope}, so nothing can be changed here.`,
  textNeeds: (scope: string) =>
    `Your token does not have ${scope}, which the text of the file needs. The other sections show its values.`,
  noConnection: "There is no connection to the gateway.",
  restart: "A restart of the gateway applies {keys}.",
  changedMeanwhile: "The file changed meanwhile. Reviewing shows both versions.",
  changes: (count: number, sections: number) =>
    sections > 1
      ? `${counted(count, "change")} in ${counted(sections, "section")}`
      : counted(count, "change"),
  discard: "Discard",
  review: "Review and save",
  reading: "Reading…",
  fixFirst: (count: number) => `${counted(count, "value")} must be corrected first.`,
  nothingChanged: "Nothing has changed.",
  // Review
  saveChanges: (count: number) => `Save ${counted(count, "change")}`,
  saveText: "Save the file",
  commentsStay: "Comments and order of the file stay.",
  noDifference: "The file has these values already.",
  atOnce: "{keys} apply at once",
  reloads: "{keys} reload their plugins",
  reconnects: "{keys} reconnect their channels",
  reopens: "{keys} open the listener of the gateway again",
  afterRestart: "{keys} apply after a restart of the gateway",
  done: "done",
  attention: "attention",
  basedOn: "based on {hash}",
  back: "Back",
  save: "Save",
  saved: (count: number) => `${counted(count, "change")} saved`,
  savedText: "The file is saved",
  savedWith: (what: string, effect: string) => `${what}; ${effect}`,
  usedNow: "in use from now on",
  waitsForRestart: "a restart applies it",
  secretStored: (names: string) => `stored encrypted: ${names}`,
  // Conflict
  conflict: "Someone changed this file meanwhile",
  conflictHelp: "Nothing of yours is lost. Choose per key.",
  textConflictHelp:
    "Nothing of yours is lost. The difference is from the file as it is now to your text: what you save replaces it.",
  key: "Key",
  whenYouBegan: "When you began",
  theirs: "Saved meanwhile",
  yours: "Yours",
  notSet: "not set",
  same: "unchanged",
  alsoChanged: (keys: string) => `Also changed, and kept: ${keys}`,
  discardMine: "Discard mine",
  reviewMerged: "Review the merged file",
  reviewMine: "Review my text",
});
