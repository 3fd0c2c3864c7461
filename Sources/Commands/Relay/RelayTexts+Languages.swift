extension RelayTexts {
  static let english = RelayTexts(
    language: "en",
    handing: (
      "Back to your computer",
      "Your browser hands the answer to Almoner. Allow it if you are asked, then return to your program: it shows the result."
    ),
    nothing: (
      "Nothing to do here",
      "This address is only used for a moment while you sign in. If you are not signed in, start again from your program."
    ),
    misplaced: (
      "This page is in the wrong place",
      "It was made for another address and hands nothing over here. Its owner has to print it anew."
    ),
    again: "Hand over again",
    trouble: "Nothing happens?",
    paste:
      "Paste this text only into the terminal in which you started almoner login, on your own computer. Never give it to anybody, in no chat and on no page.",
    copy: "Copy",
    copied: "Copied.",
    promise:
      "What this page carries is of use to nobody without the verifier that never leaves Almoner on your computer.")

  static let german = RelayTexts(
    language: "de",
    handing: (
      "Zurück zu Ihrem Computer",
      "Ihr Browser übergibt die Antwort an Almoner. Erlauben Sie es, falls er fragt, und kehren Sie zu Ihrem Programm zurück; dort steht das Ergebnis."
    ),
    nothing: (
      "Hier gibt es nichts zu tun",
      "Diese Adresse wird nur einen Augenblick lang beim Anmelden gebraucht. Falls Sie nicht angemeldet sind, beginnen Sie in Ihrem Programm von vorn."
    ),
    misplaced: (
      "Diese Seite steht am falschen Ort",
      "Sie ist für eine andere Adresse gemacht und übergibt hier nichts. Wer sie betreibt, muss sie neu ausgeben lassen."
    ),
    again: "Noch einmal übergeben",
    trouble: "Es passiert nichts?",
    paste:
      "Fügen Sie diesen Text nur in das Terminal ein, in dem Sie almoner login gestartet haben, auf Ihrem eigenen Computer. Geben Sie ihn niemandem, in keinem Chat und auf keiner Seite.",
    copy: "Kopieren",
    copied: "Kopiert.",
    promise:
      "Was diese Seite überbringt, nützt niemandem ohne den Schlüssel (Verifier), der Almoner auf Ihrem Computer nie verlässt."
  )

  static let french = RelayTexts(
    language: "fr",
    handing: (
      "Retour à votre ordinateur",
      "Votre navigateur transmet la réponse à Almoner. Autorisez-le s’il le demande, puis revenez à votre programme : il affiche le résultat."
    ),
    nothing: (
      "Rien à faire ici",
      "Cette adresse ne sert qu’un instant, pendant la connexion. Si vous n’êtes pas connecté(e), recommencez depuis votre programme."
    ),
    misplaced: (
      "Cette page n’est pas à sa place",
      "Elle a été faite pour une autre adresse et ne transmet rien ici. Son propriétaire doit la produire à nouveau."
    ),
    again: "Transmettre à nouveau",
    trouble: "Il ne se passe rien ?",
    paste:
      "Collez ce texte uniquement dans le terminal où vous avez lancé almoner login, sur votre propre ordinateur. Ne le donnez à personne, dans aucune discussion ni sur aucune page.",
    copy: "Copier",
    copied: "Copié.",
    promise:
      "Ce que cette page transporte ne sert à personne sans le secret (verifier) qui ne quitte jamais Almoner sur votre ordinateur."
  )

  static let russian = RelayTexts(
    language: "ru",
    handing: (
      "Возвращение к вашему компьютеру",
      "Браузер передаёт ответ программе Almoner. Разрешите это, если он спросит, и вернитесь в свою программу: результат там."
    ),
    nothing: (
      "Здесь ничего делать не нужно",
      "Этот адрес нужен лишь на мгновение во время входа. Если вход не выполнен, начните его заново из своей программы."
    ),
    misplaced: (
      "Эта страница не на своём месте",
      "Она сделана для другого адреса и здесь ничего не передаёт. Её владельцу нужно вывести страницу заново."
    ),
    again: "Передать ещё раз",
    trouble: "Ничего не происходит?",
    paste:
      "Вставьте этот текст только в терминал, где вы запустили almoner login, на своём компьютере. Никому его не давайте: ни в чате, ни на какой-либо странице.",
    copy: "Скопировать",
    copied: "Скопировано.",
    promise:
      "То, что несёт эта страница, никому не пригодится без ключа (verifier), который никогда не покидает Almoner на вашем компьютере."
  )

  // The isolates keep a Latin name from turning the words around it.
  static let arabic = RelayTexts(
    language: "ar", isRightToLeft: true,
    handing: (
      "عودة إلى حاسوبك",
      "يسلّم متصفحك الإجابة إلى \u{2068}Almoner\u{2069}. اسمح بذلك إن سألك، ثم ارجع إلى برنامجك وستجد النتيجة فيه."
    ),
    nothing: (
      "لا شيء هنا",
      "يُستخدم هذا العنوان للحظة واحدة أثناء تسجيل الدخول. إن لم يتم تسجيل دخولك فابدأ من جديد من برنامجك."
    ),
    misplaced: (
      "هذه الصفحة ليست في مكانها",
      "صُنعت لعنوان آخر، ولا تسلّم شيئًا هنا. على صاحبها أن يستخرجها من جديد."
    ),
    again: "سلّم مرة أخرى",
    trouble: "لا يحدث شيء؟",
    paste:
      "ألصق هذا النص فقط في الطرفية التي بدأت فيها \u{2068}almoner login\u{2069} على حاسوبك أنت. لا تعطه لأحد، لا في محادثة ولا في أي صفحة.",
    copy: "انسخ",
    copied: "تم النسخ.",
    promise:
      "ما تحمله هذه الصفحة لا ينفع أحدًا من دون المفتاح (\u{2068}verifier\u{2069}) الذي لا يغادر \u{2068}Almoner\u{2069} على حاسوبك أبدًا."
  )
}
