import { Button } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import styles from './components.module.css';

/** Where short messages appear, and are read out as they do. */
export function ToastArea() {
  return <Notifications className={styles['notes']} position="bottom-center" containerWidth={360} aria-live="polite" />;
}

interface ToastOfferProps {
  readonly text: string;
  readonly name: string;
  readonly run: () => void;
}

/** A message with what can be done about it. A click leaves the focus where it is, for the message goes soon. */
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
