import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call, mayCall } from "../../../state/link.js";
import type { StoredImageId } from "../log/item.js";
import { text } from "../messages.js";

/** Types of images that a page shows; all of them are pixels. */
const SHOWN: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Image of a message, which is read when it is on the screen. */
export function StoredImage({ id, label }: { id: StoredImageId; label: string }) {
  const source = useSignal<string | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    if (!mayCall("chat.image")) return;
    call("chat.image", id).then(
      ({ mimeType, data }) => {
        if (SHOWN.has(mimeType)) source.value = `data:${mimeType};base64,${data}`;
        else fault.value = { code: mimeType, message: text.noImageType };
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [id.sessionKey, id.seq, id.image]);
  if (fault.value !== undefined) return <FaultNote fault={fault.value} />;
  return (
    <div class="stored-image" aria-busy={source.value === undefined}>
      {source.value !== undefined && <img src={source.value} alt={label} />}
    </div>
  );
}
