import { catalogue } from "../text/catalogue.js";

/** Strings for screen readers and notifications. */
export const text = catalogue({
  decisionWaits: "A decision waits for you",
  asks: (agent: string, title: string, severity: string) => `${agent} asks: ${title}, ${severity}`,
});
