import { catalogue } from "../../text/catalogue.js";

/** Texts of the approvals. */
export const text = catalogue({ title: "Approvals" });
