import { Link } from "wouter-preact";
import { text } from "./messages.js";
import { matrix } from "./policy.js";
import { cellWords, deciderWords } from "./words.js";

/** Tools × agents: what is allowed, and what decides. */
export function Matrix() {
  const read = matrix.value;
  if (read === undefined) return <div class="page" aria-busy="true" />;
  if (read.tools.length === 0) {
    return (
      <div class="empty">
        <h2>{text.noTools}</h2>
      </div>
    );
  }
  return (
    <div class="page matrix-page" tabIndex={0} role="region" aria-label={text.matrix}>
      <p class="sec dim t12">{text.legend}</p>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">{text.tool}</th>
            {read.agents.map((agent) => (
              <th scope="col" key={agent}>
                {agent}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {read.tools.map(({ tool, pluginId, cells }) => (
            <tr key={tool}>
              <th scope="row" title={pluginId}>
                <code>{tool}</code>
              </th>
              {cells.map((cell) => {
                const words = cellWords(cell);
                const search = new URLSearchParams({ tool, agentId: cell.agentId });
                return (
                  <td key={cell.agentId}>
                    <Link
                      href={`/policy?${search}`}
                      class={cell.allowed ? (cell.approval === "always" ? "warn" : "good") : "plum"}
                      aria-label={text.cell(tool, cell.agentId, words)}
                      title={deciderWords(cell.decidedBy)}
                    >
                      {words}
                    </Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
