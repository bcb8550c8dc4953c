import { catalogue } from "../text/catalogue.js";

/** Texts of what happens elsewhere: for a screen reader, and for a notification. */
export const text = catalogue({
  decisionWaits: "A decision waits for you",
  asks: (agent: string, title: string, severity: string) => `${agent} asks: ${title}, ${severity}`,
});
