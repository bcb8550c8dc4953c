import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Path of the file that decides the names in the npm registry, from the root of the repository. */
export const PUBLISH_NAMES = "packages/create-openclaw-plugin/templates/publish-names.json";

/** Scope of the workspace, and of all imports, whatever the names in the registry are. */
const WORKSPACE_SCOPE = "@openclaw";
/** Packages of the workspace that have no scope. */
const UNSCOPED: readonly string[] = ["openclaw", "create-openclaw-plugin"];
const SCOPE = /^@[a-z0-9~-][a-z0-9._~-]*$/;

/** Names of the packages in the npm registry, which a publisher chooses by a scope (SDK-900). */
export class PublishNames {
  readonly scope: string;

  /**
   * @param scope - for example `@acme`
   * @throws Error when it is not a scope of npm
   */
  constructor(scope: string) {
    if (!SCOPE.test(scope)) {
      throw new Error(`${JSON.stringify(scope)} is not an npm scope; expected one like "@acme"`);
    }
    this.scope = scope;
  }

  /**
   * Returns the name of a package in the registry; a package of others keeps its name.
   * @param name - name in the workspace, with which code imports it
   */
  nameOf(name: string): string {
    const isOurs = UNSCOPED.includes(name) || name.startsWith(`${WORKSPACE_SCOPE}/`);
    if (this.scope === WORKSPACE_SCOPE || !isOurs) return name;
    return `${this.scope}/${name.slice(name.indexOf("/") + 1)}`;
  }

  /**
   * Returns the value of a dependency in a `package.json`. Under another scope it is an alias, so that imports stay as
   * they are.
   * @param name - name in the workspace
   * @param range - range of versions
   */
  dependency(name: string, range: string): string {
    const published = this.nameOf(name);
    return published === name ? range : `npm:${published}@${range}`;
  }

  /** Returns the command that creates a plugin, for example `npm create @acme/openclaw-plugin`. */
  createCommand(): string {
    return `npm create ${this.nameOf("create-openclaw-plugin").replace(/(^|\/)create-/, "$1")}`;
  }

  /**
   * Returns a text in which the commands of npm use the names of the registry. What is installed for its imports gets
   * an alias.
   * @param text - documentation, or a command
   */
  commandsIn(text: string): string {
    return text
      .replaceAll(/\bnpm create openclaw-plugin\b/g, this.createCommand())
      .replaceAll(/\bnpm (?:install|i)\b[^\n`]*/g, (command) => {
        const isGlobal = /\s(?:-g|--global)\b/.test(command);
        return command.replaceAll(/(?<=\s)(?:@openclaw\/)?[a-z][\w-]*(?=\s|$|@)/g, (name) => {
          const published = this.nameOf(name);
          return published === name || isGlobal ? published : `${name}@npm:${published}`;
        });
      });
  }
}

/**
 * Reads the names that the publisher chose.
 * @param folder - folder of the templates; that of this package when absent
 */
export function readPublishNames(
  folder = fileURLToPath(new URL("../templates", import.meta.url)),
): PublishNames {
  const { scope } = JSON.parse(readFileSync(join(folder, "publish-names.json"), "utf8"));
  return new PublishNames(String(scope));
}
