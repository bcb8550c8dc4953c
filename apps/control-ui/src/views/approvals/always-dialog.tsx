import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import type { Answer } from "./decide.js";
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
        <h2 id="always-title">Always allow, from now on</h2>
        <p>
          Choose exactly what later calls may do without asking. Calls that a policy or guard denies
          stay denied.
        </p>
      </header>
      <div class="in">
        <fieldset class="plain">
          <legend class="vh">Scope</legend>
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
              <span class="dim t12">{each === "session" ? "ends with it" : "until revoked"}</span>
              <p>
                {alwaysCovers(approval)}; {scopeWords(each, approval)}
              </p>
            </label>
          ))}
        </fieldset>
        {grantPrefixes.length > 1 && (
          <fieldset class="plain">
            <legend class="strong">Commands</legend>
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
        <span class="start">Listed in Grants</span>
        <button class="btn" type="button" onClick={onClose}>
          Cancel <kbd>esc</kbd>
        </button>
        <button class="btn primary" type="button" aria-disabled={isEmpty} onClick={confirm}>
          Allow and remember
        </button>
      </footer>
    </Dialog>
  );
}

const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  session: "This session",
  requester: "This agent, for this person",
  agent: "This agent",
  global: "Every agent",
};
