import styles from './components.module.css';
/** JSON text, unchanged, in a box that can be scrolled with the keyboard. */
export function JsonText({ children }: { readonly children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus it can't be scrolled with the keyboard.
    <pre className={styles['json']} tabIndex={0}>
      {children}
    </pre>
  );
}
