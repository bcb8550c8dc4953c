import { useEffect } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { gateway, mayCall } from "../../state/link.js";
import { PluginList } from "./list.js";
import { ServerPage } from "./mcp/page.js";
import { text } from "./messages.js";
import { PluginPage } from "./page.js";
import { loadPlugins } from "./plugins.js";
import { ToolPage } from "./tool-pages.js";
import "../../styles/views/settings.css";
import "../../styles/views/plugins.css";

/** Plugins, or one of them. */
export function PluginsView() {
  const [search] = useSearchParams();
  // The paths below belong to the routes of plugins.
  const id = search.get("id");
  const view = search.get("view");
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (isOpen && mayCall("plugins.list")) void loadPlugins();
  }, [isOpen]);
  if (isOpen && !mayCall("plugins.list")) {
    return (
      <div class="empty">
        <h1>{text.mayNotSee}</h1>
        <p>{text.needsRead}</p>
      </div>
    );
  }
  const tool = search.get("tool");
  if (tool !== null) return <ToolPage key={tool} name={tool} />;
  const server = search.get("server");
  if (server !== null) return <ServerPage key={server} name={server} />;
  if (id === null) return <PluginList view={view} />;
  return <PluginPage key={id} id={id} view={view} />;
}
