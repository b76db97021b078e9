import { type ReactNode, useEffect, useRef } from 'react';
import { useAppContext, useView } from '../../app/app-context.ts';
import { type SettingId, settingTexts } from '../../app/settings-list.ts';
import styles from './settings.module.css';

/** Moves the focus to the setting that was opened by name, from anywhere in the window. */
export function useSettingFocus<E extends HTMLElement>(id: string) {
  const place = useRef<E>(null);
  const { store } = useAppContext();
  const wanted = useView((s) => s.settings);
  useEffect(() => {
    if (wanted.setting !== id || place.current === null) return;
    place.current.scrollIntoView({ block: 'center' });
    // If a dialog was opened before the row was rendered, the dialog keeps the focus.
    if (store.getState().dialog !== null) return;
    const control = place.current.querySelector<HTMLElement>('input, select, button, textarea');
    (control ?? place.current).focus({ preventScroll: true });
  }, [store, wanted, id]);
  return place;
}

/** One setting: its name, one sentence, and its control, which is labeled with the name. */
export function SettingRow({ id, children }: { readonly id: SettingId; readonly children: ReactNode }) {
  const [name, text] = settingTexts[id];
  return (
    <div ref={useSettingFocus<HTMLDivElement>(id)} className={styles['setting']}>
      <div>
        <div>{name}</div>
        <p>{text}</p>
      </div>
      {children}
    </div>
  );
}
