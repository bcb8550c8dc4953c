import { describe, expect, it } from "vitest";
import { withKnownVariables } from "../../../src/shell/literal/known-variables.js";

const VARIABLES = { LOBSTER_ARG_FOLDER: "inbox", MY_PATTERN: "*", AN_OPTION: "-delete", x: "y" };

describe("withKnownVariables", () => {
  it.each([
    [`find "$LOBSTER_ARG_FOLDER" -name '*.md'`, "find inbox -name '*.md'"],
    [`find "\${LOBSTER_ARG_FOLDER}" -type f`, "find inbox -type f"],
    [`ls "$LOBSTER_ARG_FOLDER"; cat "$LOBSTER_ARG_FOLDER"/a`, "ls inbox; cat inbox/a"],
  ])("[APPR-262] reads %s as %s", (source, known) => {
    expect(withKnownVariables(source, VARIABLES)).toBe(known);
  });

  it.each([
    `find $LOBSTER_ARG_FOLDER`,
    `LOBSTER_ARG_FOLDER=/; find "$LOBSTER_ARG_FOLDER"`,
    `read LOBSTER_ARG_FOLDER; find "$LOBSTER_ARG_FOLDER"`,
    `find "$LOBSTER_ARG_FOLDER" "\${LOBSTER_ARG_FOLDER:-/}"`,
    `find "$LOBSTER_ARG_FOLDERS"`,
    `find "$MY_PATTERN"`,
    `find . "$AN_OPTION"`,
    `find "$x"`,
    `find "$OTHER_NAME"`,
    `awk '{ print "$LOBSTER_ARG_FOLDER" }'`,
    `echo \\"$LOBSTER_ARG_FOLDER\\"`,
    `cat <<'END'\n"$LOBSTER_ARG_FOLDER"\nEND`,
    `# it's\necho '"$LOBSTER_ARG_FOLDER"'`,
  ])("[APPR-262] leaves %s as it is", (source) => {
    expect(withKnownVariables(source, VARIABLES)).toBe(source);
  });

  it("[APPR-262] leaves variables that shells and programs interpret", () => {
    const source = 'ls "$GIT_DIR" "$BASH_ENV" "$LD_PRELOAD" "$HTTP_PROXY"';
    const variables = { GIT_DIR: "x", BASH_ENV: "x", LD_PRELOAD: "x", HTTP_PROXY: "x" };
    expect(withKnownVariables(source, variables)).toBe(source);
  });
});
