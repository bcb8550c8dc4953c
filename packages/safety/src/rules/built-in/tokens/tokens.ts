import { TOKEN_FORMS } from "../../../generated/secret-forms.js";
import { anchoredMatcher, type Matcher, matchHere } from "../../detector.js";
import { BLOCKED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { compileForm, type SecretForm } from "./notation.js";

/** Maximum length of the part of a token before its anchor. */
const REACH = 128;

/** Words in lower case behind a prefix, as documentation writes them: `ghp_your_access_token`. */
const EXAMPLE = /^[a-z0-9]{2,6}[_-](?:[a-z]{2,12}[_-]){2,}[a-z]{2,12}$/;

/** Tokens of services, each recognised by its form (SAFE-015, SAFE-016). */
export const TOKEN_RULES: readonly LeakRule[] = TOKEN_FORMS.map(([id, title, label, rows]) => {
  const forms = rows.map(compileForm);
  const matchers = forms.map(matcherOf);
  const anchors = [...new Set(forms.flatMap((form) => form.anchors))];
  const detector = anchoredMatcher(anchors, false, (text, at) => {
    for (const match of matchers) {
      const range = match(text, at);
      if (range !== undefined) {
        return EXAMPLE.test(text.slice(...range)) ? undefined : range;
      }
    }
    return undefined;
  });
  return {
    kind: "leak",
    id,
    title,
    reason: "Anyone who has it can use the service as its owner.",
    severity: "critical",
    label,
    actions: BLOCKED_LEAK,
    detector: forms.every(({ isWord }) => isWord) ? { ...detector, longWord: true } : detector,
    get examples() {
      return examplesOf(forms, matchers);
    },
  };
});

/** Returns the matcher of one form; a part before the anchor is read backwards. */
function matcherOf({ before, source }: SecretForm): Matcher {
  const here = matchHere(new RegExp(source, "y"));
  if (before === "") return here;
  const head = new RegExp(`${before}$`);
  return (text, at) => {
    const from = Math.max(0, at - REACH);
    const found = head.exec(text.slice(from, at));
    const range = found === null ? undefined : here(text, at);
    return found === null || range === undefined ? undefined : [from + found.index, range[1]];
  };
}

/** Returns the shortest tokens, and strings that are one character too short or begin within a word. */
function examplesOf(forms: readonly SecretForm[], matchers: readonly Matcher[]) {
  const isFound = (text: string) =>
    Array.from(text).some((_, at) => matchers.some((match) => match(text, at) !== undefined));
  const match = forms.map(({ sample }) => sample);
  const near = match.flatMap((sample) => [sample.slice(0, -1), `x${sample}`]);
  return { match, clean: near.filter((text) => !isFound(text)) };
}
