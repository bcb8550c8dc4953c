import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { BrandMark } from "../components/icons.js";
import { signedOutBecause, signIn } from "../state/credential.js";
import { filled } from "../text/catalogue.js";
import { text } from "./messages.js";

/** Page of somebody who is not signed in. */
export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const isKept = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    document.title = `${text.signIn} · ${text.product}`;
  }, []);
  const shown = problem.value ?? signedOutBecause.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "") {
      problem.value = text.tokenMissing;
      field.current?.focus();
      return;
    }
    signIn(token, isKept.value);
  };
  return (
    <main class="signin" id="main">
      <div class="box">
        <p class="brandline">
          <BrandMark size={22} /> {text.product}
        </p>
        <h1>{text.signIn}</h1>
        <p class="mid">{location.host}</p>
        <form class="stack" onSubmit={submit}>
          <label class="strong" for="token">
            {text.token}
          </label>
          <input
            ref={field}
            class="input mono"
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={shown !== undefined}
            aria-describedby={shown === undefined ? "token-help" : "token-problem token-help"}
          />
          {shown !== undefined && (
            <p id="token-problem" class="note t12" data-s="failed" role="alert">
              <span>{shown}</span>
            </p>
          )}
          <p class="dim t12" id="token-help">
            {filled(text.tokenHelp, {
              file: <code>gateway.token</code>,
              folder: <code>~/.openclaw</code>,
            })}
          </p>
          <label class="line">
            <input
              class="check"
              type="checkbox"
              checked={isKept.value}
              onChange={(event) => {
                isKept.value = event.currentTarget.checked;
              }}
            />
            {text.keepToken}
          </label>
          <button class="btn primary" type="submit">
            {text.signIn} <kbd>↵</kbd>
          </button>
        </form>
        <div class="or">
          <span>{text.orTerminal}</span>
        </div>
        <p class="t12 mid">{filled(text.ticketHelp, { command: <code>openclaw console</code> })}</p>
      </div>
    </main>
  );
}
