import { config } from 'zod';

/**
 * The content policy forbids making code from text, and zod tries it as soon as a schema is built. This is the one file
 * that works at import time; the build puts it into one chunk with zod, so that it has spoken before any schema is built.
 * Whatever reads by a schema imports it first. Nothing of the script to begin with does: main checks what it sends.
 */
config({ jitless: true });
