extension PageTexts {
  static let english = PageTexts(
    language: "en",
    done: Text(
      "That’s it, you can go back",
      "Your sign‑in was handed to Almoner. Close this tab and return to the program you came from; it shows the result."
    ),
    denied: Text(
      "You were not signed in",
      "The sign‑in was cancelled or refused, and nothing was stored. You can close this tab."),
    refused: Text(
      "This answer doesn’t belong here",
      "It doesn’t match the sign‑in that is waiting. Nothing was changed: you can still finish that sign‑in."),
    again: Text(
      "Please start again",
      "No sign‑in is waiting for this answer any more, so you were not signed in. Start again from your program."),
    closed: Text(
      "Nothing to do here",
      "This address is only used for a moment while you sign in. You can close this tab."))

  static let german = PageTexts(
    language: "de",
    done: Text(
      "Fertig, Sie können zurück",
      "Ihre Anmeldung wurde an Almoner übergeben. Schließen Sie diesen Tab und kehren Sie zu Ihrem Programm zurück; dort steht das Ergebnis."
    ),
    denied: Text(
      "Sie wurden nicht angemeldet",
      "Die Anmeldung wurde abgebrochen oder abgelehnt, gespeichert wurde nichts. Sie können diesen Tab schließen."),
    refused: Text(
      "Diese Antwort gehört nicht hierher",
      "Sie passt nicht zu der Anmeldung, die gerade wartet. Nichts wurde geändert: Sie können jene Anmeldung weiterhin abschließen."
    ),
    again: Text(
      "Bitte neu beginnen",
      "Auf diese Antwort wartet keine Anmeldung mehr, Sie wurden also nicht angemeldet. Beginnen Sie in Ihrem Programm von vorn."
    ),
    closed: Text(
      "Hier gibt es nichts zu tun",
      "Diese Adresse wird nur einen Augenblick lang beim Anmelden gebraucht. Sie können diesen Tab schließen."))

  static let french = PageTexts(
    language: "fr",
    done: Text(
      "C’est fait, vous pouvez revenir",
      "Votre connexion a été transmise à Almoner. Fermez cet onglet et revenez à votre programme : il affiche le résultat."
    ),
    denied: Text(
      "Vous n’avez pas été connecté(e)",
      "La connexion a été annulée ou refusée et rien n’a été enregistré. Vous pouvez fermer cet onglet."),
    refused: Text(
      "Cette réponse n’est pas attendue ici",
      "Elle ne correspond pas à la connexion en attente. Rien n’a changé : vous pouvez encore terminer cette connexion."
    ),
    again: Text(
      "Veuillez recommencer",
      "Plus aucune connexion n’attend cette réponse : vous n’avez pas été connecté(e). Recommencez depuis votre programme."
    ),
    closed: Text(
      "Rien à faire ici",
      "Cette adresse ne sert qu’un instant, pendant la connexion. Vous pouvez fermer cet onglet."))

  static let russian = PageTexts(
    language: "ru",
    done: Text(
      "Готово, можно возвращаться",
      "Ваш вход передан программе Almoner. Закройте эту вкладку и вернитесь в программу, из которой вы пришли: результат там."
    ),
    denied: Text(
      "Вход не выполнен",
      "Вход отменён или отклонён, ничего не сохранено. Эту вкладку можно закрыть."),
    refused: Text(
      "Этот ответ не отсюда",
      "Он не относится ко входу, который сейчас ожидается. Ничего не изменилось: тот вход ещё можно завершить."),
    again: Text(
      "Начните заново",
      "Этого ответа больше никто не ждёт, вход не выполнен. Начните вход заново из своей программы."),
    closed: Text(
      "Здесь ничего делать не нужно",
      "Этот адрес нужен лишь на мгновение во время входа. Эту вкладку можно закрыть."))

  static let arabic = PageTexts(
    language: "ar", isRightToLeft: true,
    done: Text(
      "تمّ الأمر، يمكنك العودة",
      "سُلِّم تسجيل دخولك إلى <bdi>Almoner</bdi>. أغلق علامة التبويب هذه وارجع إلى البرنامج الذي جئت منه، وستجد النتيجة فيه."
    ),
    denied: Text(
      "لم يتم تسجيل دخولك",
      "أُلغي تسجيل الدخول أو رُفض، ولم يُحفظ أي شيء. يمكنك إغلاق علامة التبويب هذه."),
    refused: Text(
      "هذه الإجابة ليست لهذا الطلب",
      "إنها لا تطابق تسجيل الدخول الذي ننتظره. لم يتغيّر شيء، وما زال بإمكانك إكمال ذلك الطلب."),
    again: Text(
      "ابدأ من جديد من فضلك",
      "لم يعد هناك تسجيل دخول ينتظر هذه الإجابة، ولذلك لم يتم تسجيل دخولك. ابدأ من جديد من برنامجك."),
    closed: Text(
      "لا شيء هنا",
      "يُستخدم هذا العنوان للحظة واحدة أثناء تسجيل الدخول. يمكنك إغلاق علامة التبويب هذه."))
}
