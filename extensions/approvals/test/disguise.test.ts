import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Decision } from "../src/decision.js";
import { ASKED, DESTRUCTIVE, EVASIVE } from "./support/command-cases.js";
import { disguises, spellings } from "./support/disguise.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases, generatedTimeout } from "./support/generated-cases.js";

const TIMEOUT = { timeout: generatedTimeout(30_000) };
const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

const MILDEST_FIRST: readonly Decision[] = ["run", "ask", "ask-each-time", "ask-critical", "deny"];
const rank = async (command: string) =>
  MILDEST_FIRST.indexOf((await place.evaluate(command)).decision);

const HARMFUL = [...ASKED, ...EVASIVE, ...DESTRUCTIVE]
  .map(([command]) => command)
  // A NUL ends a command or hides the words after it.
  .filter((command) => !command.includes("\0"));

const PLAIN_WORDS = [
  "rm -rf /srv",
  "rm --recursive --force /srv/x",
  "git push --force",
  "git reset --hard",
  "chmod -R 777 /etc",
  "shred -u README.md",
  "crontab -r",
  "kubectl delete pod web",
  "sudo ls",
  "npm test",
  "cat /etc/passwd",
  "cat .env",
  "sort -o package.json README.md",
  "git -c core.pager=x log",
  "find . -delete",
].map((command) => command.split(" "));

describe("command disguise", () => {
  it(
    "[APPR-038][APPR-039] never decides more leniently about a disguised command",
    TIMEOUT,
    async () => {
      const property = fc.asyncProperty(
        fc.constantFrom(...HARMFUL),
        disguises,
        async (command, { hide, names }) => {
          const bare = await rank(command);
          const hidden = hide(command);
          expect(await rank(hidden), `${names.join(" in ")}: ${hidden}`).toBeGreaterThanOrEqual(
            bare,
          );
        },
      );
      await fc.assert(property, generatedCases(1_000));
    },
  );

  it(
    "[APPR-042] never decides more leniently when every word is spelled differently",
    TIMEOUT,
    async () => {
      const property = fc.asyncProperty(
        fc.constantFrom(...PLAIN_WORDS),
        spellings,
        async (words, spell) => {
          const bare = await rank(words.join(" "));
          const spelled = spell(words);
          // A word that is computed when the command runs needs approval, whatever it may be.
          const isComputed = spelled.includes("$(");
          const least = isComputed ? Math.min(bare, MILDEST_FIRST.indexOf("ask")) : bare;
          expect(await rank(spelled), spelled).toBeGreaterThanOrEqual(least);
        },
      );
      await fc.assert(property, generatedCases(1_000));
    },
  );

  it(
    "[APPR-038] evaluates any text, and runs it without approval only if every command is listed",
    TIMEOUT,
    async () => {
      const pieces = fc.constantFrom(
        ..."ls cat rm -rf / . ; && | || ( ) { } $( ` ' \" \\ $x ${ <( > << E if then fi for do done [[ ]] (( )) = * ~ # eval sudo README.md".split(
          " ",
        ),
        "\n",
        " ",
      );
      const property = fc.asyncProperty(fc.array(pieces, { maxLength: 24 }), async (parts) => {
        const { decision, commands } = await place.evaluate(parts.join(" "));
        expect(MILDEST_FIRST).toContain(decision);
        expect(decision === "run").toBe(commands.every(({ finding }) => finding === "listed"));
      });
      await fc.assert(property, generatedCases(1_000));
    },
  );
});
