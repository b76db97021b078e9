import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/wght.css';
import './components/theme-variables.css';
import './components/tokens.css';
import './components/controls.css';
import './components/tick-boxes.css';
import './components/frame.css';
import './components/navigation.css';
import './components/view-bar.css';
import './components/welcome.css';
import './components/inspector.css';
import './components/creative.css';
import './components/notes.css';
import './components/drawer.css';
import './components/findings.css';
import './components/history.css';
import './components/long-list.css';
import './components/sync.css';
import './components/pending-sync.css';
import './components/after-sync.css';
import './components/after-review.css';
import './components/refusals.css';
import './components/dialogs.css';
import './components/palette.css';
import './components/preview.css';
import './components/import.css';
import './components/shortcuts.css';
import './components/account.css';
import './components/news.css';
import './components/about.css';
import './components/reports.css';
import './components/reports-print.css';
import './components/figures.css';
import './components/templates.css';
import './components/media.css';
import './components/files-out.css';
import './components/launch.css';
import './components/reviews.css';
import './components/swap.css';
import './components/work-sign.css';
import './components/locale.css';
import './components/day-input.css';
import './components/matrix.css';
import './components/state-dot.css';
import './components/paste-values.css';
import './components/carry.css';
import './components/narrow.css';
import './components/duplicates.css';
import './components/known.css';
import './components/copy-progress.css';
import './grid/grid.css';
import './grid/grid-header.css';
import './grid/grid-edit.css';
import './grid/grid-totals.css';
import './grid/grid-comments.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { changeLocale } from './app/locale/current.ts';
import { layoutBeforeReload } from './app/save-layout.ts';
import { connect } from './app/transport/connect.ts';

/** Every style sheet of the desk, in the order in which they may override each other. */

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
