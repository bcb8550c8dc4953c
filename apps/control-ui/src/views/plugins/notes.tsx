import { FaultNote } from "../../components/fault-note.js";
import { text } from "./messages.js";
import { changePlugins, closedBecause, fault, lastChange, outcomeWords } from "./plugins.js";

/** Result of the last change: what is active now, with the decision that it waits for. */
export function ChangeNotes() {
  const done = lastChange.value;
  const { consentNeeded = [], plugin, diagnostics = [], outcome } = done?.change ?? {};
  const id = plugin?.id ?? done?.id;
  const isBad = outcome === "failed" || outcome === "kept";
  return (
    <>
      {fault.value !== undefined && (
        <div class="setnote">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {done !== undefined && (
        <div class="note t12 setnote" data-s={isBad ? "failed" : "done"} role="status">
          <span>
            {outcomeWords(done.change, done.id)}
            {isBad &&
              diagnostics
                .filter(({ level }) => level !== "info")
                .map(({ code, message, hint }) => (
                  <span key={`${code} ${message}`}>
                    {" "}
                    <code>{code}</code> {message} {hint}
                  </span>
                ))}
          </span>
          <span class="end">
            <button
              class="btn quiet small"
              type="button"
              onClick={() => (lastChange.value = undefined)}
            >
              {text.close}
            </button>
          </span>
        </div>
      )}
      {consentNeeded.length > 0 && id !== undefined && (
        <div class="note t12 setnote" data-s="approval">
          <span>{text.consent(consentNeeded.join(", "))}</span>
          <span class="end line">
            {[true, false].map((allowConversation) => (
              <button
                class="btn small"
                type="button"
                key={String(allowConversation)}
                aria-disabled={closedBecause() !== undefined}
                onClick={() => void changePlugins("plugins.enable", { id, allowConversation })}
              >
                {allowConversation ? text.allowConversation : text.forbidConversation}
              </button>
            ))}
          </span>
        </div>
      )}
    </>
  );
}
