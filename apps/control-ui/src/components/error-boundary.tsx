import { Component, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { gateway } from "../state/link.js";
import { text } from "./messages.js";

/** Properties of {@link ErrorBoundary}. */
interface BoundaryProps {
  /** Path of the view; another view starts without the fault of this one. */
  readonly path: string;
  readonly children: ComponentChildren;
}

/** Replaces a view that throws, and leaves the rest of the console working (UI-003). */
export class ErrorBoundary extends Component<BoundaryProps, { error?: Error | undefined }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (path !== this.props.path && this.state.error !== undefined) this.#again();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <StoppedView error={error} path={this.props.path} onAgain={() => this.#again()} />;
  }

  #again(): void {
    this.setState({ error: undefined });
  }
}

function StoppedView({ error, path, onAgain }: { error: Error; path: string; onAgain(): void }) {
  const [isCopied, setCopied] = useState(false);
  const version = gateway.value?.snapshot.server.version ?? text.unknown;
  const report = `${error.stack ?? String(error)}\ngateway  ${version}\nview     ${path}`;
  return (
    <div class="page">
      <div class="empty" role="alert">
        <h1>{text.stopped}</h1>
        <p>{text.stoppedHelp}</p>
        <pre class="code wrap">{report}</pre>
        <div class="acts">
          <button class="btn primary" type="button" onClick={onAgain}>
            {text.loadAgain}
          </button>
          <button
            class="btn"
            type="button"
            onClick={() => void navigator.clipboard.writeText(report).then(() => setCopied(true))}
          >
            {isCopied ? text.copied : text.copyReport}
          </button>
        </div>
      </div>
    </div>
  );
}
