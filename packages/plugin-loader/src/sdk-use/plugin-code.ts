import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { moduleFileAt } from "./module-files.js";

/** Number of files that are read at most. */
const MAXIMUM_FILES = 500;
const CODE = /\.[cm]?[jt]s$/;
const RELATIVE = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g;

/** Source code of a plugin, as far as its entry reaches it, without its dependencies. */
export class PluginCode {
  readonly #entry: string;
  readonly #rootDir: string;
  #files: readonly string[] | undefined;

  /**
   * @param entry - absolute path of the entry
   * @param rootDir - absolute path of the plugin's folder
   */
  constructor(entry: string, rootDir: string) {
    this.#entry = entry;
    this.#rootDir = rootDir;
  }

  /**
   * Returns true when the code takes a member of an object for granted: it calls the member, reads from it or passes it
   * on, and nowhere looks whether it is there. A plugin without files takes nothing for granted.
   * @param name - name of the member
   */
  takesForGranted(name: string): boolean {
    this.#files ??= this.#read();
    const member = String.raw`\.${name}\b`;
    const used = new RegExp(
      String.raw`${member}\s*\(|${member}\.[\w$]|[(,]\s*[\w$.]+${member}\s*[),]`,
    );
    const tested = new RegExp(
      [
        String.raw`\btypeof\s+[\w$.?[\]()]*${member}`,
        String.raw`${member}\s*(?:\?\.|&&|\|\||\?\?|[!=]==?|\?(?!\.))`,
        String.raw`\bif\s*\([^;{]*${member}\s*\)`,
        String.raw`![\w$.?]*${member}`,
        String.raw`["']${name}["']\s+in\b`,
      ].join("|"),
    );
    return (
      this.#files.some((code) => used.test(code)) && !this.#files.some((code) => tested.test(code))
    );
  }

  #read(): string[] {
    if (!CODE.test(this.#entry)) return [];
    const files = new Set([this.#entry]);
    const found: string[] = [];
    for (const file of files) {
      if (files.size > MAXIMUM_FILES) break;
      let code: string;
      try {
        code = readFileSync(file, "utf8");
      } catch {
        continue;
      }
      found.push(code);
      for (const [, specifier = ""] of code.matchAll(RELATIVE)) {
        const path = moduleFileAt(resolve(dirname(file), specifier), this.#rootDir);
        if (path !== undefined) files.add(path);
      }
    }
    return found;
  }
}
