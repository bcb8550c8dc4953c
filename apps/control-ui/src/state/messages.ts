import { catalogue } from "../text/catalogue.js";

/** Strings for screen readers and notifications. */
export const text = catalogue({
  missingScope: (scope: string) => `Your token does not have ${scope}.`,
  noConnection: "There is no connection to the gateway.",
  decisionWaits: "A decision waits for you",
  asks: (agent: string, title: string, severity: string) => `${agent} asks: ${title}, ${severity}`,
});
