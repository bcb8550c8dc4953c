import { catalogue } from "../../text/catalogue.js";

/** Texts of the sessions. */
export const text = catalogue({ title: "Sessions" });
