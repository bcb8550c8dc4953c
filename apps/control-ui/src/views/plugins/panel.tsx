import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text } from "./messages.js";
import { type Panel, PanelBridge } from "./panel-bridge.js";
import type { PluginDetails } from "./plugins.js";

/** Height in pixels until the page asks for another one. */
const FIRST_HEIGHT = 480;

/** Panel of a plugin, which the page of the plugin shows as a tab. */
export function PluginPanel({ plugin, id }: { plugin: PluginDetails; id: string }) {
  const panel = plugin.panels.find((each) => each.id === id);
  if (panel === undefined) {
    return (
      <div class="empty">
        <h2>{text.noPanel}</h2>
        <p>{plugin.status === "loaded" ? text.noPanelHelp : (plugin.reason ?? text.noPanelHelp)}</p>
      </div>
    );
  }
  // Another load of the plugin has another URL, and so another frame.
  return <PanelFrame key={panel.url} plugin={plugin.id} panel={panel} />;
}

function PanelFrame({ plugin, panel }: { plugin: string; panel: Panel }) {
  const bridge = useRef<PanelBridge | undefined>(undefined);
  const frame = useRef<HTMLIFrameElement>(null);
  const height = useSignal(FIRST_HEIGHT);
  const hasLeft = useSignal(false);
  const close = () => {
    bridge.current?.close();
    bridge.current = undefined;
  };
  useEffect(() => close, []);
  if (hasLeft.value) {
    return (
      <div class="empty">
        <h2>{text.panelLeft}</h2>
        <p>{text.panelLeftHelp(panel.title)}</p>
        <button
          class="btn"
          type="button"
          onClick={() => {
            hasLeft.value = false;
          }}
        >
          {text.openPanel}
        </button>
      </div>
    );
  }
  return (
    <div class="page">
      <iframe
        ref={frame}
        class="panel-frame"
        title={panel.title}
        src={panel.url}
        sandbox="allow-scripts"
        height={height.value}
        onLoad={({ currentTarget }) => {
          if (bridge.current !== undefined) {
            // Only the page that the gateway served first may speak for the panel.
            close();
            hasLeft.value = true;
            return;
          }
          const { contentWindow } = currentTarget;
          if (contentWindow === null) return;
          bridge.current = new PanelBridge(contentWindow, plugin, panel, (next) => {
            height.value = next;
          });
        }}
      />
    </div>
  );
}
