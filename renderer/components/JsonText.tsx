import styles from './components.module.css';
/** JSON as it stands, in a box that can be scrolled by key. */
export function JsonText({ children }: { readonly children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what no key can reach, no key can scroll.
    <pre className={styles['json']} tabIndex={0}>
      {children}
    </pre>
  );
}
