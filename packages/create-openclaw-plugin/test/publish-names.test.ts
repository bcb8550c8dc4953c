import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PublishNames, readPublishNames } from "../src/publish-names.js";
import { temporaryFolder } from "./temporary-folder.js";

const own = new PublishNames("@openclaw");
const other = new PublishNames("@acme");

describe("names in the npm registry", () => {
  it("[SDK-900] are those of the workspace under its own scope", () => {
    for (const name of ["openclaw", "create-openclaw-plugin", "@openclaw/plugin-sdk", "vitest"]) {
      expect(own.nameOf(name)).toBe(name);
      expect(own.dependency(name, "^1.2.0")).toBe("^1.2.0");
    }
    expect(own.createCommand()).toBe("npm create openclaw-plugin");
    const text = "npm install --global openclaw\nnpm create openclaw-plugin x\n";
    expect(own.commandsIn(text)).toBe(text);
  });

  it.each([
    ["openclaw", "@acme/openclaw"],
    ["create-openclaw-plugin", "@acme/create-openclaw-plugin"],
    ["@openclaw/plugin-sdk", "@acme/plugin-sdk"],
    ["@other/openclaw", "@other/openclaw"],
    ["openclaw-weather", "openclaw-weather"],
  ])("[SDK-900] under another scope %s is %s", (name, published) => {
    expect(other.nameOf(name)).toBe(published);
    const alias = published === name ? "^1.2.0" : `npm:${published}@^1.2.0`;
    expect(other.dependency(name, "^1.2.0")).toBe(alias);
  });

  it.each([
    ["npm create openclaw-plugin my-plugin", "npm create @acme/openclaw-plugin my-plugin"],
    ["npm create openclaw-plugin@latest", "npm create @acme/openclaw-plugin@latest"],
    [
      "run `npm install --global openclaw` first",
      "run `npm install --global @acme/openclaw` first",
    ],
    ["npm install -g openclaw@0.2.0", "npm install -g @acme/openclaw@0.2.0"],
    [
      "npm install --save-dev openclaw @openclaw/plugin-testkit vitest",
      "npm install --save-dev openclaw@npm:@acme/openclaw @openclaw/plugin-testkit@npm:@acme/plugin-testkit vitest",
    ],
    ["openclaw plugins install ./openclaw", "openclaw plugins install ./openclaw"],
    ["npm install openclaw-weather ./openclaw", "npm install openclaw-weather ./openclaw"],
  ])("[SDK-900] replace those of the workspace in a command: %s", (command, expected) => {
    expect(other.commandsIn(command)).toBe(expected);
  });

  it.each(["acme", "@", "@Acme", "@acme/", ""])("rejects the scope %j", (scope) => {
    expect(() => new PublishNames(scope)).toThrow(/is not an npm scope; expected one like "@acme"/);
  });

  it("[SDK-900] are decided by one file of the templates", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "publish-names.json"), '{ "scope": "@acme" }');
    expect(readPublishNames(folder).nameOf("openclaw")).toBe("@acme/openclaw");
    expect(readPublishNames().scope).toBe("@openclaw");
  });
});
