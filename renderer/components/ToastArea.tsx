import { Notifications } from '@mantine/notifications';

/** Where short messages appear, and are read out as they do. */
export function ToastArea() {
  return <Notifications className="notes" position="bottom-right" containerWidth={360} aria-live="polite" />;
}
