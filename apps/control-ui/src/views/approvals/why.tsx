import type { ApprovalSummary } from "@openclaw/protocol";
import { StateMark } from "../../components/state-mark.js";

/** Why a request asks: the reason, the rule with its place, and the plugins that ask too. */
export function Why({ approval }: { approval: ApprovalSummary }) {
  const { description, tool, title, pluginId, rule, alsoRequestedBy } = approval;
  return (
    <section class="sec">
      <h3>Why it asks</h3>
      <ol class="why">
        <li>
          <StateMark state="approval" label="asks" />
          <span>{description === "" ? `${tool ?? title} asks unless granted` : description}</span>
          {rule === undefined && pluginId !== undefined && <code class="dim">{pluginId}</code>}
        </li>
        {rule !== undefined && (
          <li>
            <StateMark state="waiting" label="rule" />
            <span>
              Rule <b class="mono">{rule.id}</b>
              {pluginId !== undefined && (
                <>
                  {" "}
                  of <code>{pluginId}</code>
                </>
              )}
              {pluginId === undefined && rule.key !== undefined && rule.key !== rule.id && (
                <>
                  , <code>{rule.key}</code>
                </>
              )}
            </span>
            <Place rule={rule} />
          </li>
        )}
        {alsoRequestedBy.map((plugin) => (
          <li key={plugin}>
            <StateMark state="waiting" label="also" />
            <span>
              Also requested by <code>{plugin}</code>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Place({ rule: { file, line, key } }: { rule: NonNullable<ApprovalSummary["rule"]> }) {
  if (file === undefined) {
    // A key without a file is that of a built-in default.
    return key === undefined ? <span class="dim t12">built in</span> : null;
  }
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return (
    <code class="dim t12" title={key === undefined ? file : `${file} ${key}`}>
      {line === undefined ? name : `${name}:${line}`}
    </code>
  );
}
