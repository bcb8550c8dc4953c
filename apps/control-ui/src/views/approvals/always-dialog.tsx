import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import type { Answer } from "./decide.js";
import { text } from "./messages.js";
import { alwaysCovers, scopeWords } from "./words.js";

type Scope = ApprovalSummary["grantScope"];

/** Scopes that an answer can choose, narrowest first. */
const CHOICES = ["session", "agent", "global"] as const;

/** Chooses exactly what later calls may do without asking. */
export function AlwaysDialog({
  approval,
  onAnswer,
  onClose,
}: {
  approval: ApprovalSummary;
  onAnswer(answer: Answer): void;
  onClose(): void;
}) {
  const { grantScope, grantPrefixes = [] } = approval;
  const scope = useSignal<Scope>(grantScope);
  const prefixes = useSignal<readonly string[]>(grantPrefixes);
  const scopes: readonly Scope[] = grantScope === "requester" ? ["requester", ...CHOICES] : CHOICES;
  const isEmpty = grantPrefixes.length > 0 && prefixes.value.length === 0;
  const confirm = () => {
    if (isEmpty) return;
    const chosen = scope.value;
    onAnswer({
      decision: "allow-always",
      scope: chosen === grantScope || chosen === "requester" ? undefined : chosen,
      prefixes: prefixes.value.length === grantPrefixes.length ? undefined : prefixes.value,
    });
  };
  return (
    <Dialog class="sm" titleId="always-title" onClose={onClose}>
      <header>
        <h2 id="always-title">{text.alwaysTitle}</h2>
        <p>{text.alwaysHelp}</p>
      </header>
      <div class="in">
        <fieldset class="plain">
          <legend class="vh">{text.scope}</legend>
          {scopes.map((each) => (
            <label class="radio" key={each}>
              <input
                type="radio"
                name="scope"
                checked={scope.value === each}
                onChange={() => {
                  scope.value = each;
                }}
              />
              <strong>{SCOPE_TITLES[each]}</strong>
              <span class="dim t12">
                {each === "session" ? text.endsWithIt : text.untilRevoked}
              </span>
              <p>
                {alwaysCovers(approval)}; {scopeWords(each, approval)}
              </p>
            </label>
          ))}
        </fieldset>
        {grantPrefixes.length > 1 && (
          <fieldset class="plain">
            <legend class="strong">{text.prefixes}</legend>
            {grantPrefixes.map((prefix) => (
              <label class="line" key={prefix}>
                <input
                  class="check"
                  type="checkbox"
                  checked={prefixes.value.includes(prefix)}
                  onChange={(event) => {
                    const { checked } = event.currentTarget;
                    prefixes.value = grantPrefixes.filter((word) =>
                      word === prefix ? checked : prefixes.value.includes(word),
                    );
                  }}
                />
                <code>{prefix}</code>
              </label>
            ))}
          </fieldset>
        )}
      </div>
      <footer>
        <span class="start">{text.listedInGrants}</span>
        <button class="btn" type="button" onClick={onClose}>
          {text.cancel} <kbd>esc</kbd>
        </button>
        <button class="btn primary" type="button" aria-disabled={isEmpty} onClick={confirm}>
          {text.allowAndRemember}
        </button>
      </footer>
    </Dialog>
  );
}

const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  session: text.thisSession,
  requester: text.thisRequester,
  agent: text.thisAgent,
  global: text.everyAgent,
};
