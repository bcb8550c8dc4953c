import { useSignal } from "@preact/signals";
import { ActButton } from "../../../components/act-button.js";
import { isRecord } from "../../../components/schema-form/schema.js";
import { isUrlOf } from "./entry.js";
import { text } from "./messages.js";
import { callMcp, type McpServer, servers } from "./servers.js";

/** Path of the gateway to which a browser returns from a login. */
const RETURN_PATH = "/plugins/mcp/login/callback";

/** Login to a server over HTTP: the page of the authorization server opens in another tab, and returns to the gateway. */
export function Login({ server: { name, target } }: { server: McpServer }) {
  const page = useSignal<string | undefined>(undefined);
  if (!isUrlOf(target)) return null;
  const start = async () => {
    const redirectUri = location.origin + RETURN_PATH;
    const started = await servers.change(() =>
      callMcp("mcp.auth.start", { server: name, redirectUri }),
    );
    const url = isRecord(started) ? started.url : undefined;
    page.value = typeof url === "string" && isUrlOf(url) ? url : undefined;
  };
  const leave = async () => {
    page.value = undefined;
    await servers.change(() => callMcp("mcp.auth.remove", { server: name }));
  };
  return (
    <section class="sec">
      <h2 class="h">{text.login}</h2>
      <p class="dim t12">{text.loginHelp}</p>
      <p class="line">
        <ActButton scope="operator.admin" label={text.named(text.logIn, name)} onAct={start}>
          {text.logIn}
        </ActButton>
        <ActButton scope="operator.admin" label={text.named(text.logOut, name)} onAct={leave}>
          {text.logOut}
        </ActButton>
      </p>
      {page.value !== undefined && (
        <p role="status">
          <a href={page.value} target="_blank" rel="noopener noreferrer">
            {text.openLogin}
          </a>{" "}
          <span class="dim t12">{text.returns}</span>
        </p>
      )}
    </section>
  );
}
