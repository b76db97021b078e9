import './styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { layoutBeforeReload } from './app/left-layout.ts';
import { changeLocale } from './locale/current.ts';
import { connect } from './transport/connect.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');

/** Not awaited at the top of this module: the reader of a layout shares code with it, and the two would wait for each other. */
async function open(place: Element): Promise<void> {
  changeLocale(navigator.language);
  const [connection, left] = await Promise.all([connect(window), layoutBeforeReload()]);
  createRoot(place).render(
    <StrictMode>
      <App connection={connection} left={left} />
    </StrictMode>,
  );
}

void open(root);
