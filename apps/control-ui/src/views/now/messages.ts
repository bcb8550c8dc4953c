import { catalogue } from "../../text/catalogue.js";

/** Texts of the first view. */
export const text = catalogue({ title: "Now" });
