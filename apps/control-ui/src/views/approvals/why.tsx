import type { ApprovalSummary } from "@openclaw/protocol";
import { StateMark } from "../../components/state-mark.js";
import { filled } from "../../text/catalogue.js";
import { text } from "./messages.js";

/** Why a request asks: the reason, the rule with its place, and the plugins that ask too. */
export function Why({ approval }: { approval: ApprovalSummary }) {
  const { description, tool, title, pluginId, rule, alsoRequestedBy } = approval;
  return (
    <section class="sec">
      <h3>{text.why}</h3>
      <ol class="why">
        <li>
          <StateMark state="approval" label={text.asks} />
          <span>{description === "" ? text.asksUnlessGranted(tool ?? title) : description}</span>
          {rule === undefined && pluginId !== undefined && <code class="dim">{pluginId}</code>}
        </li>
        {rule !== undefined && (
          <li>
            <StateMark state="waiting" label={text.rule} />
            <span>
              {filled(
                pluginId !== undefined
                  ? text.ruleOf
                  : rule.key !== undefined && rule.key !== rule.id
                    ? text.ruleWithKey
                    : text.ruleNamed,
                {
                  rule: <b class="mono">{rule.id}</b>,
                  plugin: <code>{pluginId}</code>,
                  key: <code>{rule.key}</code>,
                },
              )}
            </span>
            <Place rule={rule} />
          </li>
        )}
        {alsoRequestedBy.map((plugin) => (
          <li key={plugin}>
            <StateMark state="waiting" label={text.also} />
            <span>{filled(text.alsoBy, { plugin: <code>{plugin}</code> })}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Place({ rule: { file, line, key } }: { rule: NonNullable<ApprovalSummary["rule"]> }) {
  if (file === undefined) {
    // A key without a file is that of a built-in default.
    return key === undefined ? <span class="dim t12">{text.builtIn}</span> : null;
  }
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return (
    <code class="dim t12" title={key === undefined ? file : `${file} ${key}`}>
      {line === undefined ? name : `${name}:${line}`}
    </code>
  );
}
