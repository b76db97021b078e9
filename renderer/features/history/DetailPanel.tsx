import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import styles from './history.module.css';

/** Details of one history entry beside the list. It takes the focus, and returns it when Escape closes it. */
export function DetailPanel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { store } = useAppContext();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const close = (): void => store.getState().showHistory(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    <section ref={panel} tabIndex={-1} className={styles['detail']} aria-label={title} onKeyDown={onKeyDown}>
      <div className={styles['detail-head']}>
        <h2>{title}</h2>
        <Chip onClick={close}>{appTexts.close}</Chip>
      </div>
      {children}
    </section>
  );
}
