import { Button } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import styles from './components.module.css';

/** The area of short messages, which screen readers announce. */
export function ToastArea() {
  return <Notifications className={styles['notes']} position="bottom-center" containerWidth={360} aria-live="polite" />;
}

interface ToastOfferProps {
  readonly text: string;
  readonly name: string;
  readonly run: () => void;
}

/** A message with a button. A click does not move the focus, because the message soon disappears. */
export function ToastOffer({ text, name, run }: ToastOfferProps) {
  return (
    <span className={styles['note-offer']}>
      {text}
      <Button size="compact-xs" onMouseDown={(event) => event.preventDefault()} onClick={run}>
        {name}
      </Button>
    </span>
  );
}
