import { generatedCases } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTooWide, runsAnything } from "../../src/prefix/open-ended.js";
import { grantableWords, isGrantable, proposedLength } from "../../src/prefix/proposal.js";

function proposal(command: string): string | undefined {
  const all = command.split(" ");
  const words = grantableWords(all, undefined);
  if (words.length === 0) return undefined;
  const length = proposedLength(words, undefined);
  return length === undefined ? undefined : words.slice(0, length).join(" ");
}

describe("proposed prefix", () => {
  it.each([
    ["docker compose up -d web", "docker compose up"],
    ["docker ps -a", "docker ps"],
    ["git commit -m x", "git commit"],
    ["git push origin main", "git push"],
    ["cargo test parser --release", "cargo test"],
    ["gh pr view 12", "gh pr view"],
    ["kubectl get pods -n web", "kubectl get"],
    ["tsc --noEmit", "tsc"],
    ["pytest -q tests/unit", "pytest"],
    ["eslint .", "eslint"],
    ["unknown sub command more", "unknown sub command"],
    ["unknown sub ./path more", "unknown sub"],
  ])("[APPR-021] proposes for %s the prefix %s", (command, prefix) => {
    expect(proposal(command)).toBe(prefix);
  });

  it.each(
    [
      "python3 x.py,python3.12 -m pytest,node x.js,bash run.sh,sh -c id,env ls,sudo ls,doas ls",
      "xargs rm,find . -delete,ssh host ls,git,git -C x status,git -c a.b=c log,git config a.b c",
      "git bisect run x,git my-alias,npm,npm exec x,npm x tsc,npm exe x,npm --prefix x ls",
      "git fetch --upload-pack=./x o,git push --rece=./x o,git push --exec=./x,git grep -O./x a,git diff --ext-diff",
      "npm install left-pad,npx tsc,pnpm dlx x,pnpm --dir x exec y,yarn dlx x,bunx x,uvx x",
      "docker,docker run x,docker compose run web sh,docker compose -f a.yml exec web sh",
      "docker --host x ps,kubectl exec pod,go run x.go,pip install x,cargo install x,make",
      "curl example.com,rm x,cp a b,tee x,tar xf a.tar,rsync a b,sed -n 1p x,awk 1 x,timeout 5 npm test",
    ].flatMap((list) => list.split(",")),
  )("[APPR-021] proposes no prefix for %s, because it would grant everything", (command) => {
    expect(proposal(command)).toBeUndefined();
  });

  it("proposes only plain words without secrets", () => {
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    expect(grantableWords(["tool", "login", secret, "now"], undefined)).toEqual(["tool", "login"]);
    expect(grantableWords(["tool", "say", "two words"], undefined)).toEqual(["tool", "say"]);
  });

  it("[APPR-021] proposes a grantable prefix that is not too wide, for any words", () => {
    const word = fc.constantFrom(
      ..."git docker npm kubectl compose run exec up test status -c --x ./a config tool bash".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (all) => {
        const words = grantableWords(all, undefined);
        expect(all.slice(0, words.length)).toEqual(words);
        if (runsAnything(all)) expect(words).toEqual([]);
        const length = words.length === 0 ? undefined : proposedLength(words, undefined);
        if (length === undefined) return;
        expect(isGrantable(length, { words })).toBe(true);
        expect(isTooWide(words.slice(0, length))).toBe(false);
        expect(words.slice(1, length).every((each) => !each.startsWith("-"))).toBe(true);
      }),
      generatedCases(500),
    );
  });
});
