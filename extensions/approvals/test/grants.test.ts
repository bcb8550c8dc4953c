import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { grantReach } from "../src/grant-reach.js";
import { TABLED_PROGRAMS } from "../src/reading/reading-program.js";
import { evaluationPlace } from "./support/evaluation.js";
import { generatedCases } from "./support/generated-cases.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

/** Every option that a grant for a subcommand of git covers outside the sandbox. */
const GRANTED: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[Anuv]+|--(?:all|dry-run|intent-to-add|update|verbose))$/,
  commit: /^(?:-[aqs]*(?:m.*)?|--(?:all|allow-empty|amend|message=.*|no-edit|quiet|signoff))$/su,
  fetch: /^(?:-[apqtv]+|--(?:all|prune|quiet|tags|verbose))$/,
  push: /^(?:-[nqv]+|--(?:dry-run|quiet|tags|verbose))$/,
};

const option = fc.oneof(
  fc.constantFrom(
    ..."--pre=sh --pre -O -nOsh -Osh --output=x --outpu=x -ox -o --template=x -F -Fx -t -C -c -amx -m -S --gpg-sign --amend --am --all --al -a -aF -qv -- --force -f --exec=sh --receive-pack=x --upload-pack=x --set-upstream -u -uorigin --no-verify -n --author=x --fixup=x --pathspec-from-file=x --edit -e -i -p --mirror --delete".split(
      " ",
    ),
  ),
  fc.stringMatching(/^-{1,2}[A-Za-z][a-zA-Z=-]{0,8}$/),
);
const word = fc.oneof(option, fc.constantFrom("x", "src/a.ts", "origin", "./evil", "+main", "a:b"));

describe("reach of a grant", () => {
  it("[APPR-260] never contains an option outside the table of a program", () => {
    const name = fc.constantFrom(...TABLED_PROGRAMS);
    const subcommand = fc.constantFrom(
      ...Object.keys(GRANTED),
      "log",
      "grep",
      "diff",
      "config",
      "x",
    );
    const words = fc
      .tuple(subcommand, fc.array(word, { maxLength: 5 }))
      .map(([first, rest]) => [first, ...rest]);
    let granted = 0;
    fc.assert(
      fc.property(name, words, fc.boolean(), (other, [first = "", ...rest], isGit) => {
        const reach = grantReach(isGit ? "git" : other, [first, ...rest]);
        if (!isGit && other !== "git") {
          expect(reach).toBe("exact");
          return;
        }
        if (reach === "exact") return;
        granted += 1;
        expect(reach).toBe(2);
        const isMessage = (at: number) =>
          /^-[aqs]*m$/.test(rest[at - 1] ?? "") && first === "commit";
        for (const [at, each] of rest.entries()) {
          if (!each.startsWith("-") || each === "--" || isMessage(at)) continue;
          expect([first, rest, each]).toEqual([
            first,
            rest,
            expect.stringMatching(GRANTED[first] ?? /^$/),
          ]);
        }
        // A remote repository can be a folder whose hooks git would run.
        if (first === "push" || first === "fetch") {
          expect(rest.filter((each) => !each.startsWith("-"))).toEqual([]);
        }
      }),
      { seed: 20_261_128, ...generatedCases(20_000) },
    );
    expect(granted).toBeGreaterThan(100);
  });

  it.each([
    ["rg --hidden foo", "exact"],
    ["rg --pre=sh foo README.md", "exact"],
    ["git grep -n x", "exact"],
    ["git grep -nO'touch x;:' foo", "exact"],
    ["git log --remerge-diff", "exact"],
    ["git log -1 --format=%b --output=x", "exact"],
    ["sort -o out README.md", "exact"],
    ["git commit -m 'Fix it'", 2],
    ["git commit -am 'Fix it'", 2],
    ["git commit -F /etc/passwd", "exact"],
    ["git commit --no-verify -m x", "exact"],
    ["git push origin main", "exact"],
    ["git push", 2],
    ["git push ./evil", "exact"],
    ["git push --receive-pack=./x", "exact"],
    ["git tag v1", "exact"],
    ["git -C src add x", "exact"],
    ["docker compose up -d", "sandbox"],
    ["npm test", "sandbox"],
  ] as const)("[APPR-260] of a grant for %s is %s", async (command, reach) => {
    const { decision, grantable } = await place.evaluate(command);
    expect({ decision, reach: grantable?.reach }).toEqual({ decision: "ask", reach: [reach] });
  });
});
