"""What a text is made of, whoever wrote it: words, names, sentences, paths, and what file and folder names tell.

It lies below all rooms that read texts, and means nothing by what it finds: goals and limits are in `speech`.
"""
