// Constants that build.mjs puts in.
declare const SITE: boolean; // the static site, where the service runs in a worker
declare const VERSION: string; // of the site's files
declare const FILES: string[]; // of the site, relative to its root
