import { catalogue } from "../text/catalogue.js";

/** Texts of what a screen reader is told. */
export const text = catalogue({
  asks: (agent: string, title: string, severity: string) => `${agent} asks: ${title}, ${severity}`,
});
