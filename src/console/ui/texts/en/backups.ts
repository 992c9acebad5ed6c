export const backups = {
  title: "Backups",
  says: "A copy of everything on this server: every workspace, person and message, and the images. The last three are kept on the server's own disk, so download them and keep them elsewhere.",
  elsewhere:
    "The data of this server is in PostgreSQL. Back it up with PostgreSQL's own tools: pg_dump, or a base backup with its log.",
  elsewhereKeep:
    "Images, and files that wait to be imported, are in the database too. After a restore all mail waits until you release it.",
  make: "Make a backup",
  running: "Making a backup",
  copied: (share: string) => `${share} copied. You can leave this page.`,
  failed: "No backup was made",
  noneTitle: "No backup yet",
  noneSays: "It takes seconds to minutes, and everything goes on meanwhile.",
  made: "Made",
  size: "Size",
  megabytes: (number: string) => `${number} MB`,
  actions: "Actions",
  download: "Download",
  downloadIt: (made: string) => `Download the backup of ${made}`,
  downloadTitle: "Download this backup?",
  downloadSays:
    "The file has the addresses of all your contacts, and the secret that signs links. Enter your password to download it.",
  begun: "The download has begun.",
  remove: "Delete",
  removeIt: (made: string) => `Delete the backup of ${made}`,
  removeTitle: "Delete this backup?",
  removeSays: "This cannot be undone. Type the time of day when it was made.",
};
