// Shows a notification without a word of the request, and opens the request when it is clicked. Stores nothing.
const title = new URL(self.location.href).searchParams.get("title") ?? "OpenClaw";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { approval } = event.data?.json() ?? {};
  const shown = { icon: "/console/icon.svg", tag: `approval ${approval}`, data: { approval } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { approval } = event.notification.data ?? {};
  const path = approval === undefined ? "/approvals" : `/approve/${encodeURIComponent(approval)}`;
  event.waitUntil(self.clients.openWindow(path));
});
