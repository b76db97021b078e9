import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/wght.css';
import './ui/theme-variables.css';
import './ui/tokens.css';
import './ui/controls.css';
import './ui/tick-boxes.css';
import './ui/frame.css';
import './ui/navigation.css';
import './ui/view-bar.css';
import './ui/welcome.css';
import './ui/inspector.css';
import './ui/creative.css';
import './ui/notes.css';
import './ui/drawer.css';
import './ui/findings.css';
import './ui/history.css';
import './ui/long-list.css';
import './ui/sync.css';
import './ui/pending-sync.css';
import './ui/after-sync.css';
import './ui/after-review.css';
import './ui/refusals.css';
import './ui/dialogs.css';
import './ui/palette.css';
import './ui/preview.css';
import './ui/import.css';
import './ui/shortcuts.css';
import './ui/account.css';
import './ui/news.css';
import './ui/about.css';
import './ui/reports.css';
import './ui/reports-print.css';
import './ui/figures.css';
import './ui/templates.css';
import './ui/media.css';
import './ui/files-out.css';
import './ui/launch.css';
import './ui/reviews.css';
import './ui/swap.css';
import './ui/work-sign.css';
import './ui/locale.css';
import './ui/day-input.css';
import './ui/matrix.css';
import './ui/state-dot.css';
import './ui/paste-values.css';
import './ui/carry.css';
import './ui/narrow.css';
import './ui/duplicates.css';
import './ui/known.css';
import './ui/copy-progress.css';
import './grid/grid.css';
import './grid/grid-header.css';
import './grid/grid-edit.css';
import './grid/grid-totals.css';
import './grid/grid-comments.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { layoutBeforeReload } from './app/left-layout.ts';
import { changeLocale } from './locale/current.ts';
import { connect } from './transport/connect.ts';

/** Every style sheet of the desk, in the order in which they may override each other. */

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
