import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { BrandMark } from "../components/icons.js";
import { signedOutBecause, signIn } from "../state/credential.js";

/** Page of somebody who is not signed in. */
export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const isKept = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const shown = problem.value ?? signedOutBecause.value;
  const submit = (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "") {
      problem.value = "Paste the token of the gateway, or run `openclaw console`.";
      field.current?.focus();
      return;
    }
    signIn(token, isKept.value);
  };
  return (
    <main class="signin" id="main">
      <div class="box">
        <p class="brandline">
          <BrandMark size={22} /> OpenClaw
        </p>
        <h1>Sign in</h1>
        <p class="mid">{location.host}</p>
        <form class="stack" onSubmit={submit}>
          <label class="strong" for="token">
            Gateway token
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
            It is in <code>gateway.token</code> of the state folder, <code>~/.openclaw</code>. It
            stays in this tab and never enters a cookie, URL or log.
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
            Keep it until the tab closes (survives reload)
          </label>
          <button class="btn primary" type="submit">
            Sign in <kbd>↵</kbd>
          </button>
        </form>
        <div class="or">
          <span>or in a terminal on that machine</span>
        </div>
        <p class="t12 mid">
          <code>openclaw console</code> opens this page, signed in for 12 hours.
        </p>
      </div>
    </main>
  );
}
