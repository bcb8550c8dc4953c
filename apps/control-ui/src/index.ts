import { fileURLToPath } from "node:url";

export { CONSOLE_VIEWS } from "./paths.js";

/** Folder with the built page and its files, for a gateway that serves them. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL("../dist/page", import.meta.url));
