import { Notifications } from '@mantine/notifications';
import styles from './components.module.css';

/** Where short messages appear, and are read out as they do. */
export function ToastArea() {
  return <Notifications className={styles['notes']} position="bottom-center" containerWidth={360} aria-live="polite" />;
}
