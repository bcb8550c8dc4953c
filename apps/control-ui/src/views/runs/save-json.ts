import { saveFile } from "../../components/save-file.js";

/**
 * Saves a value as a file of JSON.
 * @param name - name of the file, without its extension
 */
export function saveJson(value: object, name: string): void {
  saveFile(JSON.stringify(value, null, 2), `${name}.json`, "application/json");
}
