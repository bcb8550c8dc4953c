import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * Makes a view whose program is loaded when it is shown for the first time.
 * @param load - imports the view
 */
export function lazyView(load: () => Promise<FunctionComponent>): FunctionComponent {
  let loaded: FunctionComponent | undefined;
  return function LazyView() {
    const [state, setState] = useState<{ readonly error?: unknown }>({});
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (view) => {
          loaded = view;
          setState({});
        },
        (error: unknown) => setState({ error }),
      );
    }, []);
    // The error boundary of the view shows it, and renders the view again, which loads it again.
    if (state.error !== undefined) throw state.error;
    if (loaded === undefined) return <div class="page" aria-busy="true" />;
    const View = loaded;
    return <View />;
  };
}
