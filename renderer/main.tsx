import './components/layers.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource-variable/inter/wght.css';
import './components/theme-variables.css';
import './components/tokens.css';
import './components/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { changeLocale } from './app/locale/current.ts';
import { layoutBeforeReload } from './app/save-layout.ts';
import { connect } from './app/transport/connect.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root.');

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
