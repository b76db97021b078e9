import './styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { leftLayout } from './app/left-layout.ts';
import { changeLocale } from './locale/current.ts';
import { connect } from './transport/connect.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
changeLocale(navigator.language);
const [connection, left] = await Promise.all([connect(window), leftLayout(window.sessionStorage)]);
createRoot(root).render(
  <StrictMode>
    <App connection={connection} left={left} />
  </StrictMode>,
);
